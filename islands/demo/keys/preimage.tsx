import type { Part } from "./keys";

/** Preimage shows the hashed text with its parts marked; the stylesheet names them. */
export function Preimage({ parts }: { parts: readonly Part[] }) {
  return (
    <code className="code preimage">
      {parts.map((part) => (
        <span key={part.name} data-part={part.name}>
          {part.text}
        </span>
      ))}
    </code>
  );
}
