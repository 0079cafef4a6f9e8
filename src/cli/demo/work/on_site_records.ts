import type { TemplateDraft } from '../../../mobile/checklists/template.ts'

const checkItem = (text: string, is_required = false) => ({ text, kind: 'check', is_required })
const numberItem = (text: string, is_required = false) => ({ text, kind: 'number', is_required })
const textItem = (text: string) => ({ text, kind: 'text', is_required: false })

/** Checklists and the visits they apply to. */
export const CHECKLISTS: readonly TemplateDraft[] = [
  {
    name: 'Water heater',
    applies: 'words',
    words: 'water heater, tankless, no hot water',
    items: [
      checkItem('Gas off while working, union tested', true),
      numberItem('Set to, °F', true),
      checkItem('Pan and drain clear'),
      textItem('Serial number'),
    ],
  },
  {
    name: 'Tune-up',
    applies: 'words',
    words: 'tune-up',
    items: [
      checkItem('Filter changed', true),
      numberItem('Carbon monoxide at the register, ppm', true),
      numberItem('Static pressure'),
    ],
  },
  {
    name: 'Leak search',
    applies: 'words',
    words: 'leak',
    items: [numberItem('Pressure at the meter, psi'), checkItem('Photo before opening'), textItem('Where it leaks')],
  },
  {
    name: 'Crawl space',
    applies: 'chosen',
    words: '',
    items: [checkItem('Somebody stays outside', true), checkItem('Air tested', true)],
  },
]

/** Checklist answers, by visit title. */
export const ANSWERS: Readonly<Record<string, Readonly<Record<string, boolean | number | string>>>> = {
  'Water heater replacement': {
    'Gas off while working, union tested': true,
    'Set to, °F': 120,
    'Pan and drain clear': true,
    'Serial number': 'AOS-2241-88103',
  },
  'Tankless descaling': { 'Gas off while working, union tested': true, 'Set to, °F': 125 },
  'No hot water': { 'Gas off while working, union tested': true, 'Set to, °F': 120, 'Pan and drain clear': true },
  'Heating tune-up': { 'Filter changed': true, 'Carbon monoxide at the register, ppm': 0, 'Static pressure': 0.5 },
  'Leak under the slab': { 'Pressure at the meter, psi': 62, 'Photo before opening': true },
}

/** Drawn customer signatures, by visit title. */
export const SIGNATURES: Readonly<Record<string, string>> = {
  'Water heater replacement':
    'M60 120L78 62L96 44L104 66L90 110L82 140L104 118L126 96L136 104L130 122L150 104L168 98L162 120L184 102L206 96L232 108L262 100L318 92L396 96',
  'No hot water':
    'M70 60L72 132L70 96L98 62L112 58L108 84L88 98L120 132L148 108L162 100L156 124L178 104L190 126L214 102L226 122L252 106L330 112',
}

/** Visit whose time entry is corrected because someone forgot a break. */
export const CORRECTION = { title: 'Tankless descaling', minutes: 20, reason: 'Lunch, forgot to pause' }
