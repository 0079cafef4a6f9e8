import { explainConstraints } from '../../platform/db/refusals.ts'
import { defineRefusals } from '../../platform/errors/refusal_text.ts'

/** Refusals of catalog items and of components of bundles. */
export const refusals = defineRefusals('catalog_items', {
  unknownName: {
    agent:
      "isn't a service, product, labor or fee in the catalog (got ''{name}''); create it with catalog_items_create",
    en:
      '“{name}” isn’t a service, product, labor or fee in the catalog. ' +
      'Choose another item, or add this one to the catalog first.',
    es:
      '«{name}» no es un servicio, un producto, mano de obra ni un cargo del catálogo. ' +
      'Elija otro artículo o agréguelo antes al catálogo.',
  },
  tooExpensive: {
    agent: 'add up to {price} cents; a bundle can cost at most {max}',
    en: 'Together the components cost more than a bundle can. Take some out, or lower their quantities.',
    es: 'Juntos, los componentes cuestan más de lo que admite un paquete. Quite algunos o reduzca sus cantidades.',
  },
  notOfKind: {
    agent: 'is not allowed for a catalog item of kind {kind}; leave it out',
    en:
      'Leave this empty for {kind, select, ' +
      'service {a service} product {a product} labor {labor} fee {a fee} bundle {a bundle} other {a discount}}.',
    es:
      'Deje esto vacío para {kind, select, ' +
      'service {un servicio} product {un producto} labor {mano de obra} fee {un cargo} bundle {un paquete} other {un ' +
      'descuento}}.',
  },
  priceMissing: {
    agent: 'is required for a catalog item of kind {kind}',
    en: 'Enter a price.',
    es: 'Escriba un precio.',
  },
  fixedPriceMissing: {
    agent: 'is required when pricing is fixed',
    en: 'Enter the fixed price of the bundle.',
    es: 'Escriba el precio fijo del paquete.',
  },
  priceComputed: {
    agent: 'is computed when pricing is sum; to set it, send pricing fixed',
    en: 'The price is the sum of the components. Choose a fixed price to enter your own.',
    es: 'El precio es la suma de los componentes. Elija un precio fijo para escribir otro.',
  },
  costComputed: {
    agent: 'of a bundle is computed from its components; leave it out',
    en: 'The cost of a bundle is the sum of its components. Leave it empty.',
    es: 'El costo de un paquete es la suma de sus componentes. Déjelo vacío.',
  },
  discountTypeMissing: {
    agent: 'is required for a catalog item of kind discount',
    en: 'Choose a percentage or an amount.',
    es: 'Elija un porcentaje o un importe.',
  },
  discountMissing: {
    agent: 'is required for a catalog item of kind discount',
    en: 'Enter the discount.',
    es: 'Escriba el descuento.',
  },
  discountInvalid: {
    agent: '{rule} (got {value})',
    en: 'Enter a discount above 0{type, select, percent {, up to 100%} other {}}.',
    es: 'Escriba un descuento mayor que 0{type, select, percent { y de hasta 100%} other {}}.',
  },
  componentsMissing: {
    agent: 'is required for a bundle',
    en: 'Add at least one component.',
    es: 'Agregue al menos un componente.',
  },
  noComponents: {
    agent: 'must have at least 1',
    en: 'Add at least one component.',
    es: 'Agregue al menos un componente.',
  },
  badPictureAddress: {
    agent: 'must be a URL that starts with https://',
    en: 'Enter a web address that starts with https://.',
    es: 'Escriba una dirección web que empiece con https://.',
  },
  badSupplierAddress: {
    agent: 'must be a URL that starts with https:// or http://',
    en: 'Enter a web address that starts with https:// or http://.',
    es: 'Escriba una dirección web que empiece con https:// o http://.',
  },
  holdsItself: {
    agent: 'is the bundle itself; choose another item',
    en: 'A bundle can’t contain itself. Choose another item.',
    es: 'Un paquete no puede contenerse a sí mismo. Elija otro artículo.',
  },
  unknown: {
    agent: 'is not a live catalog item; find its id with catalog_items_list',
    en: 'Choose an item from the catalog.',
    es: 'Elija un artículo del catálogo.',
  },
  notForBundles: {
    agent: 'is of kind {kind}; a bundle can contain only services, products, labor and fees',
    en:
      'A bundle can’t contain {kind, select, bundle {another bundle} other {a discount}}. ' +
      'Choose a service, product, labor or fee.',
    es:
      'Un paquete no puede contener {kind, select, bundle {otro paquete} other {un descuento}}. ' +
      'Elija un servicio, un producto, mano de obra o un cargo.',
  },
  repeated: {
    agent: 'is already in the list; increase its quantity instead',
    en: 'This item is already in the bundle. Change its quantity instead.',
    es: 'Este artículo ya está en el paquete. Cambie su cantidad.',
  },
  inBundles: {
    agent: 'the item is part of {bundles}; first remove it from their components with catalog_items_update',
    en: 'This item is part of {count, plural, one {the bundle} other {these bundles:}} {names}. Take it out first.',
    es: 'Este artículo es parte {count, plural, one {del paquete} other {de estos paquetes:}} {names}. Quítelo antes.',
  },
  costNotAllowed: {
    agent: '{fields}: only an owner can set cost and supplier fields; leave them out',
    en: 'Only an owner of the account can set what an item costs.',
    es: 'Solo un propietario de la cuenta puede indicar el costo de un artículo.',
  },
  unknownPart: {
    agent: 'is not in the catalog; choose an item from the list',
    en: 'Choose an item from the list. This one isn’t in your catalog.',
    es: 'Elija un artículo de la lista. Este no está en su catálogo.',
  },
  severalParts: {
    agent: 'matches {names}; choose one of them',
    en: 'Choose one of these items: {names}.',
    es: 'Elija uno de estos artículos: {names}.',
  },
})

explainConstraints({
  catalog_items_category: { en: 'Choose a category from the list.', es: 'Elija una categoría de la lista.' },
  catalog_items_sku: {
    en: 'Another item has this SKU. Enter a different one.',
    es: 'Otro artículo ya tiene este SKU. Escriba otro.',
  },
})
