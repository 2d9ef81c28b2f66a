import type { Page } from "@playwright/test";
import jsQR from "jsqr";

// readQR decodes a picture with a reader that shares nothing with the code that drew it. It returns "" if it finds no code. The page
// only turns the file into pixels, at most 400 a side.
export async function readQR(page: Page, file: Buffer, media = "image/png"): Promise<string> {
  const { grey, width, height } = await page.evaluate(
    async (source) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const scale = Math.min(1, 400 / Math.max(image.naturalWidth, image.naturalHeight));
      const canvas = document.createElement("canvas");
      canvas.width = image.naturalWidth * scale;
      canvas.height = image.naturalHeight * scale;
      const context = canvas.getContext("2d");
      context?.drawImage(image, 0, 0, canvas.width, canvas.height);
      const data = context?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
      let grey = ""; // as a text, because a million numbers take a minute
      for (let i = 0; i < data.length; i += 4) {
        const [red = 0, green = 0, blue = 0] = data.slice(i, i + 3);
        grey += String.fromCharCode(0.299 * red + 0.587 * green + 0.114 * blue); // as a phone's camera sees colours
      }
      return { grey, width: canvas.width, height: canvas.height };
    },
    `data:${media};base64,${file.toString("base64")}`,
  );
  const pixels = new Uint8ClampedArray(width * height * 4);
  for (let i = 0; i < grey.length; i++) pixels.fill(grey.charCodeAt(i), i * 4, i * 4 + 4);
  return jsQR(pixels, width, height)?.data ?? "";
}
