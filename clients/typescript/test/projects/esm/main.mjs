import { Tessera } from "tessera-client";

const result = await new Tessera().resize(process.argv[2], { width: 12 });
console.log(result.file.artifact.width);
