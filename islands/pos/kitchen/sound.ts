/**
 * sound returns a function that rings once its button was pressed, because browsers allow sound only after a tap. loud is the volume, from 0
 * to 1. The button's words follow its data-on; where the browser has no sound it is hidden.
 */
export function sound(button: HTMLButtonElement | null, loud = 0.25): () => void {
  if (!button) return () => undefined;
  button.hidden = !("AudioContext" in window);
  let context: AudioContext | undefined;
  const ring = () => {
    if (!context) return;
    const start = context.currentTime;
    for (const [i, frequency] of [880, 1175].entries()) {
      const tone = context.createOscillator();
      const volume = context.createGain();
      tone.frequency.value = frequency;
      volume.gain.setValueAtTime(loud, start + i * 0.18);
      volume.gain.exponentialRampToValueAtTime(0.001, start + i * 0.18 + 0.3);
      tone.connect(volume).connect(context.destination);
      tone.start(start + i * 0.18);
      tone.stop(start + i * 0.18 + 0.3);
    }
  };
  button.addEventListener("click", () => {
    const on = button.dataset.on !== "true";
    button.dataset.on = String(on);
    void context?.close();
    context = on ? new AudioContext() : undefined;
    ring();
  });
  return ring;
}
