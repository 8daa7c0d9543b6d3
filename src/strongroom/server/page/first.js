// Before the first paint: the theme, whether the lobby or a table opens, and whether a game goes on.
const page = document.documentElement.dataset;
const kept = (key) => {
  try {
    return JSON.parse(localStorage.getItem(`strongroom.${key}`));
  } catch {
    return null; // a browser that keeps nothing, or it is damaged
  }
};
page.theme = kept("theme") ?? "";
const games = kept("games");
if (Array.isArray(games) && games.some((game) => game?.id && !game.fresh && !game.over)) page.going = "";
if (location.hash.length > 1) page.route = "other";
if (/^#(play|vault)\b/.test(location.hash)) page.opening = "";
