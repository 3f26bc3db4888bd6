// Reads an archive with the PMTiles project's own package and tells as JSON what is in it:
//   node read-pmtiles.mjs ARCHIVE [--write FOLDER] [z/x/y …]
// header, metadata, and the SHA-256 of these tiles (null: none); with --write their bytes go to FOLDER/z-x-y.
import { createHash } from "node:crypto";
import { open, writeFile } from "node:fs/promises";
import { PMTiles } from "pmtiles";

class FileSource {
    constructor(path, file) {
        this.path = path;
        this.file = file;
    }
    getKey() {
        return this.path;
    }
    async getBytes(offset, length) {
        const bytes = Buffer.alloc(length);
        const { bytesRead } = await this.file.read(bytes, 0, length, offset);
        return { data: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytesRead) };
    }
}

const [path, ...wanted] = process.argv.slice(2);
const folder = wanted[0] === "--write" ? wanted.splice(0, 2)[1] : null;
const file = await open(path);
const archive = new PMTiles(new FileSource(path, file));
const tiles = {};
for (const name of wanted) {
    const [z, x, y] = name.split("/").map(Number);
    const tile = await archive.getZxy(z, x, y);
    tiles[name] = tile ? createHash("sha256").update(Buffer.from(tile.data)).digest("hex") : null;
    if (tile && folder) await writeFile(`${folder}/${z}-${x}-${y}`, Buffer.from(tile.data));
}
console.log(JSON.stringify({ header: await archive.getHeader(), metadata: await archive.getMetadata(), tiles }));
await file.close();
