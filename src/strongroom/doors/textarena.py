"""The games as two-player text environments of TextArena, registered when this is imported.

They are `strongroom/SafeCracker-v0` and so on; with `-raw` at the end, without a wrapper. It needs
the extra `textarena`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from strongroom.contract import NAMES, Refusal, Seat
from strongroom.minds.dialogue import LONGEST_QUOTED, Dialogue, Style
from strongroom.minds.observation import check_number
from strongroom.plugins.extras import extra
from strongroom.plugins.registry import env_id, load, names
from strongroom.referee.bout import TURN_LIMIT, Bout
from strongroom.referee.randomness import draws

with extra("textarena", "strongroom.doors.textarena"):
    import textarena as ta
    from textarena.envs.registration import ENV_REGISTRY, register_with_versions

Message = tuple[int, str, ta.ObservationType]
"""Who speaks, what is said, and what kind of message it is."""


class TextArenaEnv(ta.Env):
    """A game between two agents of TextArena; every message goes to one player alone.

    A player is told the rules as its prompt and, whenever it is to move, all that it knows and is
    asked, as the board; its own answers and why they were refused are repeated to it.
    """

    def __init__(
        self, game: str, style: str = "", turn_limit: int | None = TURN_LIMIT, **options: Any
    ) -> None:
        check_number("turn_limit", turn_limit, least=1)
        self.dialogue = Dialogue(load(game, **options), Style.read(style), turn_limit=turn_limit)
        self.turn_limit = turn_limit
        self.state: Any = None
        """TextArena's own account: who is to move, what is still to be told, and the end."""

    def reset(self, num_players: int = 2, seed: int | None = None) -> None:
        """Begin a new game, whatever became of the last one."""
        state = ta.TwoPlayerState(num_players, None, self.turn_limit, self.dialogue.tries - 1)
        state.reset({}, self._prompt, {seat.index: NAMES[seat] for seat in Seat})
        self._draw = draws(seed)
        self.bout = Bout.start(self.dialogue.game, self.turn_limit).settle(self._draw)
        self.state = state
        self._ask()

    def step(self, action: str) -> tuple[bool, ta.Info]:
        """Make the move of an answer, or count it as invalid: after three, the game is lost."""
        state = self.state
        if state is None or state.done:
            told = "No game has begun." if state is None else "The game is over."
            raise Refusal(told, "Call reset first.")
        player = state.current_player_id
        view = self.bout.view([*Seat][player])
        said = action if isinstance(action, str) else ""
        own = said[:LONGEST_QUOTED]
        state.add_observation(own, ta.ObservationType.PLAYER_ACTION, player, player)
        before = self.bout
        try:
            self.bout = before.play(self.dialogue.read(said, view)).settle(self._draw)
        except Refusal as refusal:
            self._refuse(self.dialogue.again(refusal, view))
        self._end()
        stepped: tuple[bool, ta.Info] = state.step(rotate_player=False)
        if self.bout is not before:
            self._ask()
        return stepped

    def get_board_str(self) -> str:
        """The game as a spectator sees it, for TextArena's renderer."""
        return self.dialogue.game.words.page(self.bout.view(None))

    def _prompt(self, player_id: int, game_state: object) -> str:
        return self.dialogue.opening

    def _ask(self) -> None:
        actor = self.bout.actor
        if isinstance(actor, Seat):
            asked = self.dialogue.ask(self.bout.view(actor))
            self.state.manually_set_current_player_id(actor.index)
            self.state.add_observation(asked, ta.ObservationType.GAME_BOARD, to_id=actor.index)

    def _refuse(self, told: str) -> None:
        state = self.state
        last = state.error_count == state.error_allowance
        state.set_invalid_move(self.dialogue.no_legal_answer if last else told)
        if not last:  # in the dialogue's words, which count players from one
            heard = state.observations[state.current_player_id]
            heard[-1] = (ta.GAME_ID, told, ta.ObservationType.GAME_ADMIN)

    def _end(self) -> None:
        outcome = self.bout.outcome
        if outcome is None:
            return
        reason = self.dialogue.game.words.ending(outcome)
        if outcome.winner is None:
            self.state.set_draw(reason)
        else:
            self.state.set_winner(outcome.winner.index, reason)


class CurrentQuestionWrapper(ta.wrappers.LLMObservationWrapper):
    """What a player is told as one text: the rules, the current question, and what followed it.

    A question has all that the player knows, so earlier ones are left out; a new game begins with
    nothing of the last one.
    """

    def reset(self, num_players: int = 2, seed: int | None = None) -> None:
        """Begin a new game, and forget the last one."""
        self.full_observations: dict[int, list[Message]] = {}
        super().reset(num_players=num_players, seed=seed)

    def observation(self, player_id: int, observation: Sequence[Message] | None) -> str:
        """The text for a player who has just received these messages."""
        kinds = ta.ObservationType
        heard: list[Message] = [*self.full_observations.get(player_id, []), *(observation or [])]
        asked = max((at for at, each in enumerate(heard) if each[2] is kinds.GAME_BOARD), default=0)
        rules = [each for each in heard[:asked] if each[2] is kinds.PROMPT]
        self.full_observations[player_id] = [*rules, *heard[asked:]]
        told: str = super().observation(player_id, None)
        return told


for _game in names("game"):
    if env_id(_game) not in ENV_REGISTRY:
        register_with_versions(
            env_id(_game), TextArenaEnv, {"default": [CurrentQuestionWrapper]}, game=_game
        )
