import { expectNew, expectChange, customer, present, type Step, type TaskArea } from '../task.ts'

/** Expects a new note on a customer. */
const expectNoteOn = (name: string, body: RegExp) =>
  expectNew('notes', { subject_type: 'customer', subject_id: customer(name), body })

/** Returns the steps that find a customer and add a note. */
const noteSteps = (query: string, body: string): Step[] => [
  ['customers_search', { query }],
  ['notes_create', { subject_type: 'customer', subject_id: '$0.rows.0.id', body }],
]

/** Tasks about writing and finding notes. */
export const notes: TaskArea = {
  area: 'notes',
  tasks: [
    {
      id: 'leave-note',
      role: 'office',
      level: 'easy',
      prompt: 'Note for Harpreet Singh: the softener salt is on the porch.',
      expect: [expectNoteOn('Harpreet Singh', /salt[\s\S]*porch/i)],
      solve: [...noteSteps('Harpreet Singh', 'The softener salt is on the porch.'), 'Noted.'],
    },
    {
      id: 'leave-note-es',
      role: 'office',
      level: 'easy',
      language: 'es',
      prompt: 'Deja una nota en Héctor Castellanos: el portón se atora, hay que levantarlo.',
      expect: [expectNoteOn('Hector Castellanos', /port[oó]n/i)],
      solve: [...noteSteps('Hector Castellanos', 'El portón se atora, hay que levantarlo.'), 'Anotado.'],
    },
    {
      id: 'find-note',
      role: 'office',
      level: 'easy',
      prompt: 'Where is the septic lid at the O’Connells’? Somebody wrote it down.',
      expect: [],
      answer: [/oak/i],
      solve: [['notes_list', { query: 'septic lid' }], '{0.rows.0.excerpt}'],
    },
    {
      id: 'correct-own-note',
      role: 'office',
      level: 'medium',
      prompt: 'My note on Soo-jin Park says $250. It’s $300 now. Fix it.',
      expect: [expectChange('notes', { body: /^Renter/ }, { body: /^(?![\s\S]*\$250)[\s\S]*\$300[\s\S]*Gwen/ })],
      solve: [
        ['notes_list', { query: 'renter gwen' }],
        [
          'notes_update',
          { id: '$0.rows.0.id', body: 'Renter. Anything over $300 needs a yes from Gwen at Hyde Park Rentals first.' },
        ],
        'Corrected.',
      ],
    },
    {
      id: 'leave-others-note',
      role: 'office',
      level: 'hard',
      prompt: 'Remove Cole’s note about the dog at Walter Brandt’s.',
      replies: [[/./, 'Then leave it. I’ll ask Cole.']],
      expect: [],
      answer: [/author|owner|Cole/],
      solve: [['notes_list', { query: 'biscuit' }], 'Only Cole, who wrote it, or an owner can remove it.'],
    },
    {
      id: 'archive-note',
      role: 'owner',
      level: 'medium',
      prompt: 'The crew meeting note is old news. Get rid of it.',
      expect: [expectChange('notes', { body: /^Crew meeting/ }, { archived_at: present })],
      solve: [['notes_list', { query: 'crew meeting' }], ['notes_archive', { id: '$0.rows.0.id' }], 'Archived.'],
    },
  ],
}
