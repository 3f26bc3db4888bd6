import { Tessera, TesseraError } from "tessera-client";

declare global {
  function report(text: string): void;
}

async function main(): Promise<void> {
  const { url, key } = Object.fromEntries(new URLSearchParams(location.search)) as { url: string; key: string };
  const canvas = Object.assign(document.createElement("canvas"), { width: 60, height: 40 });
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
  const tessera = new Tessera({ url, key });
  const result = await tessera.resize(new File([blob as Blob], "drawn.png"), { width: 30 });
  const bitmap = await createImageBitmap(await result.file.blob());
  const path = await tessera.upload("photo.jpg").catch((error: unknown) => error);
  report(`${bitmap.width}x${bitmap.height} ${path instanceof TesseraError}`);
}

main().catch((error: unknown) => report(String(error)));
