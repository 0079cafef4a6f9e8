export { clearCategory, lineSources } from './catalog_item.ts'
export { seesCost } from './costs/cost.ts'
export { price as itemPrice } from './fields.ts'
export { findPartByName, listPartNames } from './part_names.ts'
export { dueNextPrices, findNextPrice, hasOwnPrice, applyNextPrice } from './prices/next_price.ts'
export type { LineSource } from './catalog_item.ts'
export { listPublicItems, listBookableItems } from './bookable.ts'
export type { PublicItem } from './bookable.ts'
export {
  MAX_PICTURES_PER_RUN,
  PICTURES_TASK,
  requestPictures,
  findPicture,
  markPictureCurrent,
  listDuePictures,
  picturesOf,
  removeStalePictures,
  savePicture,
} from './pictures/pictures.ts'
export type { DuePicture, PictureVersion, StoredPicture } from './pictures/pictures.ts'
export { STARTER_TRADES, isTrade } from './starter/index.ts'
export type { StarterItem, StarterTrade, Trade } from './starter/index.ts'
export { lockCatalog, listTakenNames } from './starter/taken_names.ts'
