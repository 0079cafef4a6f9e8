import { openStorage } from '../../platform/storage/open_storage.ts'
import { newId } from '../../platform/validation/id.ts'
import type { Config } from '../../platform/config/config.ts'
import { findFallbackFont, readFallbackFont } from '../../pdf/drawing/fallback_font.ts'
import { fontProblem } from '../../pdf/drawing/pdf_document.ts'
import type { Finding } from '../finding.ts'

/** Finds whether the storage of attachments takes a file, returns it and removes it. */
export async function storageFinding({ storage: place }: Config): Promise<Finding> {
  const where = place.kind === 'bucket' ? `bucket ${place.bucket} at ${place.endpoint}` : place.directory
  try {
    const storage = openStorage(place)
    const key = newId()
    await storage.save(key, Buffer.from(key), 'text/plain')
    const found = await storage.get(key)
    const text = found && (await new Response(found).text())
    await storage.remove(key)
    if (text === key) return { check: 'storage', ok: true, says: where }
    return {
      check: 'storage',
      ok: false,
      says: `${where} does not give back what was put there`,
      mend: 'Look at STORAGE_URL and at the service behind it.',
    }
  } catch (error) {
    const mend =
      place.kind === 'bucket'
        ? 'Check STORAGE_URL, the AWS_ keys and the rights on the bucket: put, get and delete an object.'
        : 'Make the directory writable for the user that runs the service, or set DATA_DIR or STORAGE_URL.'
    return {
      check: 'storage',
      ok: false,
      says: `${where}: ${error instanceof Error ? error.message : String(error)}`,
      mend,
    }
  }
}

/** Finds whether the font for characters that the built-in one lacks can be used. */
export function pdfFontFinding({ pdfFallbackFont }: Pick<Config, 'pdfFallbackFont'>): Finding {
  const check = 'PDF font'
  const font = findFallbackFont(pdfFallbackFont)
  if (font === null)
    return {
      check,
      ok: true,
      says: 'none for Chinese, Japanese and Korean: PDFs show boxes; install fonts-noto-cjk if you need them',
    }
  const read = readFallbackFont(font)
  const problem = read === null ? `${font.file} can't be read` : fontProblem(read)
  if (problem === null) return { check, ok: true, says: `${font.name ?? font.file} for what the built-in one lacks` }
  return {
    check,
    ok: false,
    says: problem,
    mend: 'Check PDF_FONT_FALLBACK: a TrueType or OpenType file, and after # the name of one font of a collection.',
  }
}
