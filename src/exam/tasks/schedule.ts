import { at, expectChange, expectNew, crew, customer, listVisits, type TaskArea } from '../task.ts'

/** Tasks about booking, moving and canceling visits. Today is Tuesday, March 9, 2027, 10:30 in Austin. */
export const schedule: TaskArea = {
  area: 'schedule',
  tasks: [
    {
      id: 'book-with-technician',
      role: 'office',
      level: 'easy',
      prompt: 'Book Tobias Freeman for Thursday at 1 pm with Cole: hose bib drips, one hour.',
      expect: [
        expectNew('jobs', {
          customer_id: customer('Tobias Freeman'),
          title: /hose bib/i,
          scheduled_start: at('2027-03-11T13:00'),
          duration_minutes: 60,
          assignee_ids: crew('Cole Hendricks'),
        }),
      ],
      solve: [
        [
          'jobs_create',
          {
            customer_id: 'Tobias Freeman',
            title: 'Hose bib drips',
            scheduled_start: '2027-03-11T13:00',
            duration_minutes: 60,
            assignees: ['Cole Hendricks'],
          },
        ],
        'Booked.',
      ],
    },
    {
      id: 'move-visit',
      role: 'office',
      level: 'easy',
      prompt: 'The Okafors can’t do tomorrow. Move their water heater flush to Friday at 1 pm, still with Luis.',
      expect: [expectChange('jobs', { number: 1080 }, { scheduled_start: at('2027-03-12T13:00') })],
      solve: [
        listVisits('2027-03-10', { title: 'water heater flush' }),
        ['jobs_update', { id: '$0.rows.0.id', scheduled_start: '2027-03-12T13:00' }],
        'Moved to Friday.',
      ],
    },
    {
      id: 'take-off-crew',
      role: 'office',
      level: 'medium',
      prompt: 'I need Luis elsewhere tomorrow afternoon. Cole can do the city inspection at Zaragoza by himself.',
      expect: [expectChange('jobs', { number: 1081 }, { assignee_ids: crew('Cole Hendricks') })],
      solve: [
        listVisits('2027-03-10', { title: 'inspection' }),
        ['jobs_update', { id: '$0.rows.0.id', assignees: ['Cole Hendricks'] }],
        'Cole is going alone.',
      ],
    },
    {
      id: 'call-off-visit',
      role: 'office',
      level: 'easy',
      prompt: 'Cedar Bluff called off tomorrow’s backflow tests; the clubhouse is closed. They don’t need a new date.',
      expect: [expectChange('jobs', { number: 1083 }, { status: 'cancelled' })],
      solve: [
        listVisits('2027-03-10', { title: 'backflow' }),
        'Should I cancel {0.rows.0.display_number}?',
        ['jobs_cancel', { id: '$0.rows.0.id', reason: 'The clubhouse is closed.' }],
        'Canceled.',
      ],
    },
    {
      id: 'schedule-waiting-job',
      role: 'office',
      level: 'easy',
      prompt: 'June Whitaker wants her lake house opened this Friday at 1 pm. Send Luis.',
      expect: [
        expectChange(
          'jobs',
          { number: 1091 },
          { scheduled_start: at('2027-03-12T13:00'), assignee_ids: crew('Luis Ortega') },
        ),
      ],
      solve: [
        ['jobs_list', { title: 'lake house' }],
        ['jobs_update', { id: '$0.rows.0.id', scheduled_start: '2027-03-12T13:00', assignees: ['Luis Ortega'] }],
        'Scheduled.',
      ],
    },
    {
      id: 'raise-priority',
      role: 'office',
      level: 'easy',
      prompt: 'Walter Brandt’s camera job tomorrow is urgent now.',
      expect: [expectChange('jobs', { number: 1078 }, { priority: 'urgent' })],
      solve: [
        listVisits('2027-03-10', { title: 'camera after' }),
        ['jobs_update', { id: '$0.rows.0.id', priority: 'urgent' }],
        'Marked as urgent.',
      ],
    },
    {
      id: 'add-instruction',
      role: 'office',
      level: 'medium',
      prompt: 'Let whoever does the tub drain at the Duval duplex tomorrow know that the tenant is only home after 11.',
      expect: [expectChange('jobs', { number: 1079 }, { instructions: /Unit number goes on the invoice[\s\S]*11/ })],
      solve: [
        ['jobs_get', { id: 'J-1079' }],
        [
          'jobs_update',
          { id: 'J-1079', instructions: 'Unit number goes on the invoice. Tenant is only home after 11.' },
        ],
        'Added to the instructions.',
      ],
    },
    {
      id: 'resume-held-job',
      role: 'office',
      level: 'medium',
      prompt: 'The classroom faucet at Lantern Hill can go ahead: today at 3:30 pm. Cole knows.',
      expect: [
        expectChange('jobs', { number: 1076 }, { status: 'scheduled', scheduled_start: at('2027-03-09T15:30') }),
      ],
      solve: [
        ['jobs_update', { id: 'J-1076', status: 'scheduled', scheduled_start: '2027-03-09T15:30' }],
        'Set for 3:30.',
      ],
    },
    {
      id: 'move-day-over-clock-change',
      role: 'office',
      level: 'hard',
      prompt: 'Tasha is out Thursday. Move both of her Thursday visits to next Monday, same times.',
      expect: [
        expectChange('jobs', { number: 1086 }, { scheduled_start: at('2027-03-15T08:30') }),
        expectChange('jobs', { number: 1087 }, { scheduled_start: at('2027-03-15T10:30') }),
      ],
      solve: [
        listVisits('2027-03-11', { assignee: 'Tasha Nguyen' }),
        ['jobs_update', { id: '$0.rows.0.id', scheduled_start: '2027-03-15T08:30' }],
        ['jobs_update', { id: '$0.rows.1.id', scheduled_start: '2027-03-15T10:30' }],
        'Both are on Monday now.',
      ],
    },
    {
      id: 'find-free-time',
      role: 'office',
      level: 'medium',
      prompt: 'I need Marcus for two hours tomorrow. What’s the earliest he’s free?',
      expect: [],
      answer: [/11:45/],
      solve: [['read_resource', { uri: 'callout://availability/2027-03-10' }], 'At 11:45.'],
    },
    {
      id: 'book-es',
      role: 'office',
      level: 'medium',
      language: 'es',
      prompt: 'Agenda a Marisol Delgado el jueves a las 11 de la mañana con Marcus: revisar la fuga, hora y media.',
      expect: [
        expectNew('jobs', {
          customer_id: customer('Marisol Delgado'),
          title: /fuga|leak/i,
          scheduled_start: at('2027-03-11T11:00'),
          duration_minutes: 90,
          assignee_ids: crew('Marcus Bell'),
        }),
      ],
      solve: [
        [
          'jobs_create',
          {
            customer_id: 'Marisol Delgado',
            title: 'Revisar la fuga',
            scheduled_start: '2027-03-11T11:00',
            duration_minutes: 90,
            assignees: ['Marcus Bell'],
          },
        ],
        'Listo.',
      ],
    },
    {
      id: 'ask-which-visit',
      role: 'office',
      level: 'hard',
      prompt: 'Move Tasha’s Thursday tune-up to Friday at 2 pm.',
      mustAsk: true,
      replies: [[/which|singh|riverbend/i, 'The one at the Singhs’.']],
      expect: [expectChange('jobs', { number: 1086 }, { scheduled_start: at('2027-03-12T14:00') })],
      solve: [
        listVisits('2027-03-11', { assignee: 'Tasha Nguyen' }),
        'Which one: {0.rows.0.customer_name} or {0.rows.1.customer_name}?',
        ['jobs_update', { id: '$0.rows.0.id', scheduled_start: '2027-03-12T14:00' }],
        'Moved.',
      ],
    },
    {
      id: 'report-done',
      role: 'office',
      level: 'easy',
      prompt: 'Tasha called: the contactor at the church is in. That job is done.',
      expect: [expectChange('jobs', { number: 1074 }, { status: 'done' })],
      allow: [expectChange('time_entries', {}, {}, { also: ['ended_at', 'ended_by'] })],
      solve: [
        ['jobs_list', { title: 'contactor', status: ['in_progress'] }],
        ['jobs_update', { id: '$0.rows.0.id', status: 'done' }],
        'Marked as done.',
      ],
    },
    {
      id: 'do-not-service',
      role: 'office',
      level: 'hard',
      prompt: 'Lorna Pruitt has a dripping faucet. Book her for Friday at 10 with Cole.',
      replies: [[/./, 'Oh, right. Never mind, I’ll talk to Dana.']],
      expect: [],
      answer: [/do[- ]not[- ](book|service)|not to be (booked|serviced)|returned checks/i],
      solve: [
        ['customers_search', { query: 'Lorna Pruitt' }],
        ['customers_get', { id: '$0.rows.0.id' }],
        'She is marked do not service. Should I book her anyway?',
        'Nothing is booked.',
      ],
    },
  ],
}
