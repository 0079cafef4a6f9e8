import { createRequire } from 'node:module'
import { errorCode } from '../errors/error_code.ts'
import { addAsset } from '../http/assets.ts'

/** Library that draws streets in a browser, in its build for a strict content security policy, and its worker. */
export type MapLibrary = { library: string; worker: string }

/** Command that installs the library. Operators without streets don't need it. */
export const MAP_LIBRARY_COMMAND = 'npm install --no-save --save-prod --omit=dev maplibre-gl@5.24.1'

const { resolve } = createRequire(import.meta.url)

/** Returns the paths of the library (`maplibre-gl`) among the installed packages; null if it isn't there. */
export function findMapLibrary(): MapLibrary | null {
  try {
    return {
      library: resolve('maplibre-gl/dist/maplibre-gl-csp.js'),
      worker: resolve('maplibre-gl/dist/maplibre-gl-csp-worker.js'),
    }
  } catch (error) {
    if (errorCode(error) !== 'MODULE_NOT_FOUND') throw error
    return null
  }
}

/** Serves the library beside the files of `public/`, and returns its addresses; null if it isn't installed. */
export function openMapLibrary(): MapLibrary | null {
  const files = findMapLibrary()
  return (
    files && {
      library: addAsset('maplibre.js', files.library),
      worker: addAsset('maplibre_worker.js', files.worker, true),
    }
  )
}
