// Files out of what was dropped, pasted or chosen; folders are gone through.

const endings = /\.(jpe?g|jfif|png|webp|gif|avif|heic|heif|jxl)$/i;

/** What is plainly no picture is not sent; whether something is one, the service decides by its bytes. */
export const looksLikePicture = (file: File): boolean => endings.test(file.name) || file.type.startsWith("image/");

/** What a file chooser offers. */
export const accepted = "image/*,.heic,.heif,.jxl,.avif";

/** All files of a drop: those of its entries, which may be folders, or the plain ones where there are no entries. */
export async function filesOfEntries(entries: readonly (FileSystemEntry | null)[], plain: File[]): Promise<File[]> {
  const present = entries.filter((entry) => entry !== null);
  return present.length === 0 ? plain : (await Promise.all(present.map(filesOfEntry))).flat();
}

async function filesOfEntry(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile) {
    return new Promise((resolve) =>
      (entry as FileSystemFileEntry).file(
        (file) => resolve([file]),
        () => resolve([]),
      ),
    );
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: File[] = [];
  for (;;) {
    // A folder is told in parts, until there are none.
    const part = await new Promise<FileSystemEntry[]>((resolve) => reader.readEntries(resolve, () => resolve([])));
    if (part.length === 0) return found;
    for (const inner of part) found.push(...(await filesOfEntry(inner)));
  }
}
