import { statfs } from 'node:fs/promises'
import type { Family, Sample } from './exposition.ts'

/** Maps names of what is stored to the file systems to watch. */
export type Disks = Readonly<Record<string, string>>

/** Returns the size of each file system and what is free, in bytes; a folder that can't be read is left out. */
export async function diskFamilies(disks: Disks): Promise<Family[]> {
  const found = await Promise.all(Object.entries(disks).map(([disk, folder]) => statfs(folder).then(
    ({ bavail, blocks, bsize }) => [{ disk, free: bavail * bsize, size: blocks * bsize }], () => [])))
  const samples = (read: (room: { free: number; size: number }) => number): Sample[] => found.flat().map(({ disk, ...room }) => ({ labels: { disk }, value: read(room) }))
  return [
    { name: 'callout_disk_free_bytes', kind: 'gauge', help: 'Room that is left for the service.', samples: samples(({ free }) => free) },
    { name: 'callout_disk_size_bytes', kind: 'gauge', help: 'Room in all.', samples: samples(({ size }) => size) },
  ]
}
