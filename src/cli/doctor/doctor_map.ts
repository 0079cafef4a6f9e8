import type { TranslatedFinding } from '../../health/finding.ts'
import type { Config } from '../../platform/config/config.ts'
import { errorMessage } from '../../platform/errors/error_code.ts'
import { MAP_LIBRARY_COMMAND, findMapLibrary } from '../../platform/map_tiles/map_library.ts'
import { openMapTiles } from '../../platform/map_tiles/map_tiles.ts'

/** Layer an archive needs to show streets. */
const ROADS = 'roads'

/** Reports whether the map of the day can show streets, if there is an archive of map tiles. */
export async function mapFindings(
  { mapTiles }: Pick<Config, 'mapTiles'>,
  findLibrary: () => object | null = findMapLibrary,
): Promise<TranslatedFinding[]> {
  if (mapTiles === null) return []
  const check = 'map'
  if (findLibrary() === null)
    return [
      {
        check,
        ok: false,
        says: "maplibre-gl isn't installed, so the map shows no streets",
        mend: `Install it with: ${MAP_LIBRARY_COMMAND}`,
      },
    ]
  const name = mapTiles.kind === 'file' ? mapTiles.path : `${mapTiles.key} in the bucket ${mapTiles.bucket.bucket}`
  try {
    const { layers, min_zoom, max_zoom, bounds } = await openMapTiles(mapTiles).describe()
    if (layers.includes(ROADS))
      return [{ check, ok: true, says: `${name}, zooms ${min_zoom} to ${max_zoom}, ${bounds.join(', ')}` }]
    const says = `${name} has no ${ROADS} layer, so the map shows no streets`
    return [{ check, ok: false, says, mend: 'Create the archive from a Protomaps basemap, version 4.' }]
  } catch (error) {
    const mend = "Check MAP_TILES: it must be a PMTiles file of vector tiles that the service's user can read."
    return [{ check, ok: false, says: `${name}: ${errorMessage(error)}`, mend }]
  }
}
