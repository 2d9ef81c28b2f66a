import { useEffect, useState } from "react";

const shownFor = 2000; // milliseconds

/** Copy copies a text to the clipboard and says so for a moment. */
export function Copy({ text, what }: { text: string; what: string }) {
  const [said, setSaid] = useState("");
  useEffect(() => {
    if (said === "") return;
    const timer = setTimeout(() => setSaid(""), shownFor);
    return () => clearTimeout(timer);
  }, [said]);
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setSaid("Copied");
    } catch {
      setSaid("Not allowed");
    }
  }
  return (
    <button type="button" className="button quiet small" aria-label={`Copy ${what}`} onClick={() => void copy()}>
      <span aria-live="polite">{said || "Copy"}</span>
    </button>
  );
}
