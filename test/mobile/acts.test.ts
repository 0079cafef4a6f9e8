import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newId } from '../../src/platform/validation/id.ts'
import type { Result } from '../harness/harness.ts'
import { fieldEvent, clock, listFieldEvents } from '../harness/messaging/phones.ts'
import { openAtWork, type AtWork } from './at_work.ts'

let work: AtWork
let { service, office, luis, book, jobNow } = {} as AtWork
before(async () => {
  work = await openAtWork({ locations: [{ address_line1: '9 Elm St', city: 'Austin' }] })
  ;({ service, office, luis, book, jobNow } = work)
})
after(() => work.service.stop())

const notesOn = async (job: Result): Promise<string[]> =>
  ((await office.call('notes_list', { subject_type: 'job', subject_id: job.id }))['rows'] as Result[]).map(
    ({ excerpt }) => excerpt,
  )

describe('a field event', () => {
  it('takes effect as its sender, with an audit row, and is stored', async () => {
    const job = await book()
    const { status, body } = await luis.send([
      fieldEvent('status', job, { to: 'en_route' }),
      fieldEvent('note', job, { body: 'Dog' }),
    ])
    assert.equal(status, 200)
    assert.deepEqual(
      (body['acts'] as Result[]).map(({ outcome }) => outcome),
      ['done', 'done'],
    )
    assert.equal((await jobNow(job)).status, 'en_route')
    assert.deepEqual(await notesOn(job), ['Dog'])
    assert.equal((await office.entries(job.id)).at(-1)!.user_id, luis.user)
    assert.deepEqual(
      (await listFieldEvents(service, office, job)).map(({ kind, user_id }) => [kind, user_id]),
      [
        ['status', luis.user],
        ['note', luis.user],
      ],
    )
    assert.equal(body['version'], (await luis.day())['version'])
  })

  it('is applied once, however often it is sent and whatever changed since', async () => {
    const job = await book()
    const note = fieldEvent('note', job, { body: 'Once' })
    const start = fieldEvent('status', job, { to: 'in_progress' })
    const first = (await luis.send([start, note])).body['acts']
    await office.call('jobs_cancel', { id: job.id })
    assert.deepEqual((await luis.send([start, note])).body['acts'], first)
    assert.deepEqual((await luis.send([note, note])).body['acts'], [first[1], first[1]])
    assert.deepEqual(await notesOn(job), ['Once'])
    assert.equal((await jobNow(job)).status, 'cancelled')
  })

  it("gets a specific error in the phone's language for each kind of mistake", async () => {
    const job = await book()
    const mistakes: [object, string, string][] = [
      [
        fieldEvent('part', job, { catalog_item_id: newId(), quantity: null }),
        'Enter a number, such as 2.5.',
        'Escriba un número, por ejemplo 2.5.',
      ],
      [fieldEvent('part', job, { quantity: 1 }), 'Choose a catalog item.', 'Elija una opción.'],
      [fieldEvent('status', job, { to: 'sleeping' }), 'Choose one of the options.', 'Elija una de las opciones.'],
      [
        { ...fieldEvent('note', job, { body: 'x' }), at: 'today' },
        'Enter a date and time.',
        'Escriba una fecha y una hora.',
      ],
      [
        fieldEvent('note', job, { body: 'x', loud: true }),
        'This value can’t be read. Enter it again.',
        'Este valor no se puede leer. Escríbalo de nuevo.',
      ],
    ]
    const answers = async (language: string): Promise<string[]> => {
      const sent = { user_id: luis.user, sent_at: clock(), acts: mistakes.map(([one]) => one) }
      const { body } = await luis.post(sent, { 'accept-language': language })
      return (body['acts'] as Result[]).map(({ outcome, description }) => `${outcome}: ${description}`)
    }
    for (const [language, at] of [
      ['en', 1],
      ['es', 2],
    ] as const)
      for (const [i, mistake] of mistakes.entries()) {
        const single = { user_id: luis.user, sent_at: clock(), acts: [mistake[0]] }
        const { body } = await luis.post(single, { 'accept-language': language })
        assert.equal(body['acts']?.[0].description ?? body['error_description'], mistake[at], String(i))
      }
    assert.equal((await answers('es')).length, mistakes.length)
    const unreadable = await luis.post({}, { 'content-type': 'text/plain', 'accept-language': 'es' })
    assert.equal(
      unreadable.body['error_description'],
      'Esto no se pudo enviar. Vuelva a cargar la página e inténtelo de nuevo.',
    )
  })

  it('is refused when it reuses the id of another event, which stays', async () => {
    const job = await book()
    const note = fieldEvent('note', job, { body: 'First' })
    await luis.do(note)
    assert.deepEqual(await luis.do({ ...note, body: 'Second' }), {
      id: note.id,
      outcome: 'refused',
      code: 'conflict',
      description: 'This entry couldn’t be saved. Enter it again.',
    })
    assert.deepEqual(await notesOn(job), ['First'])
  })

  it("is refused in the user's language, without a hint meant for agents", async () => {
    const job = await book()
    await office.call('jobs_cancel', { id: job.id })
    const sentences = await Promise.all(
      ['en', 'es'].map(async (language) => {
        const sent = [fieldEvent('status', await jobNow(job), { to: 'en_route' })]
        const body = { user_id: luis.user, sent_at: clock(), acts: sent }
        return (await luis.post(body, { 'accept-language': language })).body['acts'][0].description
      }),
    )
    assert.deepEqual(sentences, [
      'This job is canceled, so it can’t be changed. Create a new job instead.',
      'Este trabajo está cancelado y ya no se puede cambiar. Cree un trabajo nuevo.',
    ])
  })

  it('saves the reason of a hold as a note', async () => {
    const job = await book()
    assert.equal((await luis.do(fieldEvent('status', job, { to: 'on_hold', reason: 'No valve' }))).outcome, 'done')
    assert.deepEqual([(await jobNow(job)).status, await notesOn(job)], ['on_hold', ['On hold: No valve']])
  })
})

describe('a request of field events', () => {
  it('holds at most 50 events; 51 return 422', async () => {
    const job = await book()
    const notes = Array.from({ length: 51 }, (_, i) => fieldEvent('note', job, { body: String(i) }))
    const refused = await luis.send(notes)
    assert.deepEqual([refused.status, refused.body['error']], [422, 'invalid_input'])
    assert.equal((await luis.send(notes.slice(0, 50))).body['acts'].length, 50)
    assert.equal((await listFieldEvents(service, office, job)).length, 50)
  })

  it('returns 409 other_person when it is for another user', async () => {
    const job = await book()
    const { status, body } = await luis.post({
      user_id: newId(),
      sent_at: clock(),
      acts: [fieldEvent('note', job, { body: 'Not mine' })],
    })
    assert.deepEqual([status, body['error']], [409, 'other_person'])
    assert.deepEqual(await notesOn(job), [])
  })
})
