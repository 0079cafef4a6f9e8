import { say } from '../../../platform/i18n/say.ts'
import { starter, type StarterTrade } from './starter.ts'

/** Typical catalog of a heating and air company, at typical prices in US dollars of 2026. */
export const hvac: StarterTrade = {
  name: () => say`Heating & air`,
  categories: {
    maintenance: () => say`Maintenance`,
    repair: () => say`Repair`,
    install: () => say`Installation`,
    parts: () => say`Parts`,
    labor: () => say`Labor & fees`,
  },
  items: [
    starter('fee', 'diagnosis', () => say`Diagnostic visit`, 'labor', 99, { taxable: false, isCommon: true }),
    starter('fee', 'after_hours', () => say`After-hours call`, 'labor', 199, { taxable: false, isCommon: true }),
    starter('labor', 'hour', () => say`HVAC technician`, 'labor', 155, {
      unit: 'hour',
      taxable: false,
      isCommon: true,
    }),
    starter('labor', 'helper', () => say`Helper`, 'labor', 80, { unit: 'hour', taxable: false }),
    starter('fee', 'permit', () => say`Permit`, 'labor', 175, { taxable: false }),
    starter('service', 'ac_tuneup', () => say`Air conditioner tune-up`, 'maintenance', 129, {
      minutes: 75,
      isCommon: true,
    }),
    starter('service', 'heat_tuneup', () => say`Furnace tune-up`, 'maintenance', 129, { minutes: 75, isCommon: true }),
    starter('service', 'coil', () => say`Clean coil`, 'maintenance', 245, { minutes: 90, isCommon: true }),
    starter('service', 'condensate', () => say`Clear condensate drain`, 'maintenance', 165, {
      minutes: 45,
      isCommon: true,
    }),
    starter('service', 'duct', () => say`Duct cleaning`, 'maintenance', 495, { minutes: 240 }),
    starter('service', 'capacitor', () => say`Replace capacitor`, 'repair', 265, { minutes: 45, isCommon: true }),
    starter('service', 'contactor', () => say`Replace contactor`, 'repair', 285, { minutes: 45, isCommon: true }),
    starter('service', 'blower', () => say`Replace blower motor`, 'repair', 745, { minutes: 150, isCommon: true }),
    starter('service', 'igniter', () => say`Replace igniter`, 'repair', 315, { minutes: 60, isCommon: true }),
    starter('service', 'leak', () => say`Find a refrigerant leak`, 'repair', 345, { minutes: 120, isCommon: true }),
    starter('service', 'recharge', () => say`Recharge refrigerant`, 'repair', 395, { minutes: 90 }),
    starter('service', 'thermostat', () => say`Install thermostat`, 'install', 285, { minutes: 60, isCommon: true }),
    starter('service', 'system', () => say`Replace 3-ton system`, 'install', 9850, { minutes: 600 }),
    starter('service', 'mini_split', () => say`Install mini split`, 'install', 4250, { minutes: 480 }),
    starter('product', 'filter', () => say`Filter 16×25×1`, 'parts', 22, { unit: 'each', isCommon: true }),
    starter('product', 'media', () => say`Media filter`, 'parts', 49, { unit: 'each' }),
    starter('product', 'uv', () => say`UV light`, 'parts', 325, { unit: 'each' }),
  ],
}
