import { readTenant, type Database } from '../platform/db/tenant.ts'
import { notFound } from '../platform/errors/refusal.ts'
import { findAttachment, findSpooledBytes } from './attachment.ts'
import type { Storage } from '../platform/storage/storage.ts'

export type Download = {
  headers: Record<string, string>
  body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | null
}

/** Whether to open the file itself or only its headers, which come from its row without asking storage. */
export type DownloadPart = 'file' | 'headers'

/**
 * Opens an attachment of a tenant for download, never for display. The caller must have access to the tenant. Return it
 * unchanged: `new Response(body, { headers })`. Throws `not_found` if it is unknown, rejected or gone from storage.
 */
export async function openAttachment(
  database: Database,
  storage: Storage,
  tenant: string,
  id: string,
  part: DownloadPart = 'file',
): Promise<Download> {
  const attachment = await readTenant(database, { tenant }, (db) => findAttachment(db, id))
  if (part === 'headers') return { headers: downloadHeaders(attachment), body: null }
  const body =
    attachment.storage_key === null
      ? await openSpooled(database, storage, tenant, id)
      : await storage.get(attachment.storage_key)
  if (body === undefined) throw notFound('attachment')
  return { headers: downloadHeaders(attachment), body }
}

/** Reads an attachment from the spool, or from storage if it was uploaded meanwhile. */
async function openSpooled(
  database: Database,
  storage: Storage,
  tenant: string,
  id: string,
): Promise<Download['body'] | undefined> {
  const bytes = await readTenant(database, { tenant }, (db) => findSpooledBytes(db, id))
  if (bytes !== undefined) return new Uint8Array(bytes)
  const { storage_key } = await readTenant(database, { tenant }, (db) => findAttachment(db, id))
  return storage_key === null ? undefined : storage.get(storage_key)
}

type FileDescription = { file_name: string; content_type: string; size_bytes: number | null }

/** Returns the headers of a stored file: no type sniffing, no scripts, no caching. */
export const downloadHeaders = (
  { file_name, content_type, size_bytes }: FileDescription,
  dispositionType: 'attachment' | 'inline' = 'attachment',
): Record<string, string> => ({
  'Content-Type': content_type === 'text/plain' ? 'text/plain; charset=utf-8' : content_type,
  'Content-Length': String(size_bytes),
  'Content-Disposition': disposition(dispositionType, file_name),
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cache-Control': 'private, no-store',
})

/** Formats the header of RFC 6266, 4.3: an ASCII name for old clients and the full name in UTF-8 (RFC 8187, 3.2). */
function disposition(dispositionType: 'attachment' | 'inline', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${dispositionType}; filename="${plain}"; filename*=UTF-8''${encoded}`
}
