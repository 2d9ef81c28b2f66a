import { useEffect, useLayoutEffect, useState } from "react";
import { type Hash, sum } from "./keys";

/** useKey hashes a text and answers with its hex, of the text before while the new one is not ready. */
export function useKey(hash: Hash, text: string): string {
  const [key, setKey] = useState("");
  useEffect(() => {
    let stale = false;
    void sum(hash, text).then((made) => {
      if (!stale) setKey(made);
    });
    return () => {
      stale = true;
    };
  }, [hash, text]);
  return key;
}

/** useHashingHere lets the page say that what is typed stays in the browser. */
export function useHashingHere() {
  useLayoutEffect(() => {
    document.documentElement.dataset.hashing = "here";
  }, []);
}
