import { useEffect, useState } from "react";
import { type Hash, sum } from "./keys";

/** useKey returns the hash of a text in hex. Until that is ready, it returns the hash of the previous text. */
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
