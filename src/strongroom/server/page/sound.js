/* Small sounds that the browser makes itself; silent until somebody wants them. */

import * as own from "./own.js";

const FAINT = 0.0001; // a ramp cannot end in silence

/* The tones of each sound: shape, first and last pitch in hertz, beginning and length in
   seconds, loudness. */
const SOUNDS = {
  click: [["square", 1800, 900, 0, 0.03, 0.05]],
  peg: [
    ["triangle", 420, 180, 0, 0.09, 0.25],
    ["sine", 900, 700, 0, 0.03, 0.1],
  ],
  coin: [
    ["sine", 3150, 3100, 0, 0.5, 0.08],
    ["sine", 4730, 4700, 0, 0.35, 0.05],
    ["sine", 3150, 3100, 0.14, 0.4, 0.05],
  ],
  door: [
    ["sawtooth", 70, 45, 0, 0.35, 0.08],
    ["sine", 392, 392, 0.3, 0.5, 0.12],
    ["sine", 523, 523, 0.45, 0.5, 0.12],
    ["sine", 659, 659, 0.6, 0.7, 0.12],
  ],
  shut: [["triangle", 130, 60, 0, 0.4, 0.3]],
};
let context = null;

/** Whether this browser can make sounds. */
export const AVAILABLE = "AudioContext" in globalThis;

/** Whether somebody wants to hear them. */
export const wanted = () => AVAILABLE && own.sound();

/** Turns the sounds on or off, also for later. */
export function turn(on) {
  own.keepSound(on);
  play("click");
}

/** Makes a sound, if it is wanted and the page was touched since it was loaded. */
export function play(name) {
  if (!wanted() || navigator.userActivation?.hasBeenActive === false) return;
  context ??= new AudioContext();
  context.resume();
  for (const tone of SOUNDS[name]) sound(...tone);
}

function sound(type, from, to, after, long, loud) {
  const begin = context.currentTime + after;
  const end = begin + long;
  const volume = context.createGain();
  const tone = new OscillatorNode(context, { type });
  tone.frequency.setValueAtTime(from, begin);
  tone.frequency.exponentialRampToValueAtTime(to, end);
  volume.gain.setValueAtTime(loud, begin);
  volume.gain.exponentialRampToValueAtTime(FAINT, end);
  tone.connect(volume).connect(context.destination);
  tone.start(begin);
  tone.stop(end);
}
