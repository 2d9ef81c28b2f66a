/** The server's clock: that of a device may be wrong by hours. */

let ahead = 0;

/** setClock says what time it is on the server, in milliseconds. */
export function setClock(time: number): void {
  if (time) ahead = time - Date.now();
}

/** serverNow returns the server's time, in milliseconds. */
export const serverNow = () => Date.now() + ahead;
