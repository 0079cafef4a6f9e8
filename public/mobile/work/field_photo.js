// @ts-check
// Makes a photo small enough to keep and to send, turned as it was taken.

/** Longest edge in pixels, and JPEG quality: sharp enough to read a boiler's nameplate. */
const [MAX_EDGE, QUALITY] = [2048, 0.82]

/** Thrown if a photo can't be used. The message is the name of a text. */
export class PhotoError extends Error {}

/**
 * Returns a photo as a JPEG, with its size and hash.
 * @param {File} file
 * @returns {Promise<{ photo: Blob, fields: { name: string, type: string, bytes: number, sha256: string } }>}
 */
export async function shrinkPhoto(file) {
  if (crypto.subtle === undefined) throw new PhotoError('no_secure')
  const photo = await scalePhoto(file)
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await photo.arrayBuffer()))
  const sha256 = [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return { photo, fields: { name: jpegName(file), type: 'image/jpeg', bytes: photo.size, sha256 } }
}

/** @param {File} file */
async function scalePhoto(file) {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => {
    throw new PhotoError('no_photo')
  })
  const scale = Math.min(1, MAX_EDGE / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(picture.width * scale))
  canvas.height = Math.max(1, Math.round(picture.height * scale))
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  const blob = await new Promise((/** @type {(made: Blob | null) => void} */ resolve) =>
    canvas.toBlob(resolve, 'image/jpeg', QUALITY),
  )
  if (blob === null) throw new PhotoError('no_photo')
  return blob
}

/** @param {File} file */
const jpegName = ({ name }) => `${name.replace(/\.[^.]*$/, '').slice(0, 80) || 'photo'}.jpg`
