import { expectNew, expectChange, listVisits, idOf, type TaskArea } from '../task.ts'

/** Tasks of a technician in the van. The person is Marcus Bell. */
export const technician: TaskArea = {
  area: 'technician',
  tasks: [
    {
      id: 'rest-of-my-day',
      role: 'tech',
      level: 'easy',
      prompt: 'What do I have left today after the Delgado job?',
      expect: [],
      answer: [/Cedar Bluff|pool house/i, /\b(14:00|2(:00)? ?p)/i],
      solve: [listVisits('2027-03-09', { assignee: 'Marcus Bell' }), 'The pool house at Cedar Bluff at 2 pm.'],
    },
    {
      id: 'my-first-visit-es',
      role: 'tech',
      level: 'easy',
      language: 'es',
      prompt: '¿A qué hora es mi primera visita mañana y con quién?',
      expect: [],
      answer: [/\b0?8(:00)?\b/, /Brandt/],
      solve: [listVisits('2027-03-10', { assignee: 'Marcus Bell' }), 'A las 8:00 con Walter Brandt.'],
    },
    {
      id: 'finish-my-job',
      role: 'tech',
      level: 'easy',
      prompt: 'I’m done at the Delgados’.',
      expect: [expectChange('jobs', { number: 1070 }, { status: 'done' })],
      allow: [expectChange('time_entries', {}, {}, { also: ['ended_at', 'ended_by'] })],
      solve: [['jobs_update', { id: 'J-1070', status: 'done' }], 'Marked as done.'],
    },
    {
      id: 'note-on-my-job',
      role: 'tech',
      level: 'medium',
      prompt: 'Put a note on the slab leak job: found it under the hall, 40 inches from the wall.',
      expect: [
        expectNew('notes', { subject_type: 'job', subject_id: idOf('jobs', { number: 1070 }), body: /hall[\s\S]*40/i }),
      ],
      solve: [
        [
          'notes_create',
          { subject_type: 'job', subject_id: 'J-1070', body: 'Found it under the hall, 40 inches from the wall.' },
        ],
        'Noted.',
      ],
    },
    {
      id: 'how-to-get-in',
      role: 'tech',
      level: 'medium',
      prompt: 'How do I get into the Foundry?',
      expect: [],
      answer: [/5150/],
      solve: [
        ['customers_search', { query: 'Foundry' }],
        ['customers_get', { id: '$0.rows.0.id' }],
        '{1.locations.0.access_notes}',
      ],
    },
    {
      id: 'not-my-right',
      role: 'tech',
      level: 'hard',
      prompt: 'Void invoice INV-1046. The customer complained.',
      replies: [[/./, 'OK, I’ll tell the office.']],
      expect: [],
      answer: [/can(’|')?t|cannot|not allowed|permission|rights|scope|may not/i],
      solve: ['You can’t void invoices. Ask the office to do it.'],
    },
  ],
}
