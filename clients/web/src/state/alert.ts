/** A quiet sign that it is the person's turn: a sound or a vibration, each only if it was switched on. */
import { sound, vibration } from "./settings";

let last = "";
let context: AudioContext | null = null;

/** Once for each decision. */
export function alertTurn(table: string, decision: number): void {
  const name = `${table}.${decision}`;
  if (name === last) return;
  last = name;
  if (vibration.peek() && "vibrate" in navigator) navigator.vibrate(80);
  if (sound.peek()) chime();
}

/** Two soft notes, made here, so that no file has to be fetched. */
export function chime(): void {
  context ??= new AudioContext();
  const at = context.currentTime;
  [523, 784].forEach((pitch, index) => {
    const tone = context!.createOscillator();
    const volume = context!.createGain();
    const begin = at + index * 0.12;
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0, begin);
    volume.gain.linearRampToValueAtTime(0.12, begin + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + 0.35);
    tone.connect(volume).connect(context!.destination);
    tone.start(begin);
    tone.stop(begin + 0.4);
  });
}
