import {
  all,
  isBlank,
  live,
  addRecord,
  patchField,
  text,
  type Rate,
  type Rule,
  type Rules,
  type World,
} from '../world.ts'

/** Makes this rate the default in place of the old one. */
function makeDefault(world: World, rate: Rate): Rate[] {
  const old = all(world, 'rate').filter((other) => other.is_default && other !== rate)
  for (const other of old) other.is_default = false
  rate.is_default = true
  return old
}

const ratesCreate: Rule = (world, _actor, given) => {
  if (isBlank(given, 'name')) return ['invalid_input']
  return (answer) => {
    const rate = addRecord<Rate>(
      world,
      {
        kind: 'rate',
        name: text(given['name']) ?? 'Sales tax',
        percent: String(given['rate_percentage']),
        is_default: false,
      },
      answer,
    )
    return { shows: rate, touched: given['is_default'] === true ? [rate, ...makeDefault(world, rate)] : [rate] }
  }
}

const ratesUpdate: Rule = (world, actor, given) => {
  const rate = live(world, actor, 'rate', given['id'])
  if (rate === undefined) return ['not_found']
  if (isBlank(given, 'name') || ('rate_percentage' in given && String(given['rate_percentage']) !== rate.percent))
    return ['invalid_input']
  return () => {
    rate.name = text(patchField(given, 'name', rate.name))!
    const old = given['is_default'] === true ? makeDefault(world, rate) : []
    if (given['is_default'] === false) rate.is_default = false
    return { shows: rate, touched: [rate, ...old] }
  }
}

const ratesArchive: Rule = (world, actor, given) => {
  const rate = live(world, actor, 'rate', given['id'])
  if (rate === undefined) return ['not_found']
  return () => {
    const was_default = rate.is_default
    Object.assign(rate, { live: false, is_default: false })
    return { says: { id: rate.id, was_default }, touched: [rate] }
  }
}

export const rates: Rules = {
  tax_rates_create: { scope: 'write:tax_rates', rule: ratesCreate },
  tax_rates_update: { scope: 'write:tax_rates', rule: ratesUpdate },
  tax_rates_archive: { scope: 'write:tax_rates', rule: ratesArchive },
}
