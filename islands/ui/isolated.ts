const fromRight =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** isolated keeps typed text inside a sentence apart from it, as printable.Isolated does on the server. In markup, bdi does the same. */
export function isolated(text: string): string {
  return fromRight.test(text) ? `\u2068${text}\u2069` : text;
}
