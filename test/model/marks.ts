import {
  all,
  broken,
  isBlank,
  live,
  addRecord,
  patchField,
  text,
  type Actor,
  type Kind,
  type Note,
  type Rule,
  type Rules,
  type Tag,
  type World,
} from './world.ts'

/** Normalizes a tag name, which ignores case and white space. */
const normalizeName = (name: string): string => name.replaceAll(/\s/g, '').toLowerCase()
const isTaken = (world: World, name: unknown, by?: Tag): boolean =>
  text(name) !== null &&
  all(world, 'tag').some(
    (other) => other !== by && other.live && normalizeName(other.name) === normalizeName(text(name)!),
  )

const tagsCreate: Rule = (world, _actor, given) => {
  const codes = broken([text(given['name']) === null, 'invalid_input'], [isTaken(world, given['name']), 'conflict'])
  if (codes.length > 0) return codes
  return (answer) => {
    const tag = addRecord<Tag>(
      world,
      { kind: 'tag', name: text(given['name'])!, color: text(given['color'])?.toUpperCase() ?? null },
      answer,
    )
    return { shows: tag, touched: [tag] }
  }
}

const tagsUpdate: Rule = (world, actor, given) => {
  const tag = live(world, actor, 'tag', given['id'])
  if (tag === undefined) return ['not_found']
  const codes = broken([isBlank(given, 'name'), 'invalid_input'], [isTaken(world, given['name'], tag), 'conflict'])
  if (codes.length > 0) return codes
  return () => {
    tag.name = text(patchField(given, 'name', tag.name))!
    tag.color = text(patchField(given, 'color', tag.color))?.toUpperCase() ?? null
    return { shows: tag, touched: [tag] }
  }
}

const tagsDelete: Rule = (world, actor, given) => {
  const tag = live(world, actor, 'tag', given['id'])
  if (tag === undefined) return ['not_found']
  return () => {
    const carriers = all(world, 'customer').filter(({ tags }) => tags.delete(tag.id))
    tag.live = false
    return { says: { id: tag.id, deleted: true }, touched: [tag, ...carriers] }
  }
}

const SUBJECTS: Record<string, Kind> = {
  customer: 'customer',
  contact: 'contact',
  location: 'location',
  job: 'job',
  invoice: 'invoice',
  quote: 'quote',
  plan: 'plan',
  catalog_item: 'item',
}

const notesCreate: Rule = (world, actor, given) => {
  const [type, subject] = [given['subject_type'], given['subject_id']]
  const codes = broken(
    [text(given['body']) === null, 'invalid_input'],
    [(type === undefined) !== (subject === undefined), 'invalid_input'],
    [
      type !== undefined && subject !== undefined && live(world, actor, SUBJECTS[type]!, subject) === undefined,
      'not_found',
    ],
  )
  if (codes.length > 0) return codes
  return (answer) => {
    const note = addRecord<Note>(
      world,
      {
        kind: 'note',
        body: text(given['body'])!,
        author: actor.id!,
        subject_type: type ?? null,
        subject_id: subject ?? null,
      },
      answer,
    )
    return { shows: note, touched: [note] }
  }
}

const mayChange = (note: Note, actor: Actor): boolean => note.author === actor.id || actor.role === 'owner'

const notesUpdate: Rule = (world, actor, given) => {
  const note = live(world, actor, 'note', given['id'])
  if (note === undefined) return ['not_found']
  const codes = broken([isBlank(given, 'body'), 'invalid_input'], [!mayChange(note, actor), 'invalid_input'])
  if (codes.length > 0) return codes
  return () => {
    note.body = text(patchField(given, 'body', note.body))!
    return { shows: note, touched: [note] }
  }
}

const notesArchive: Rule = (world, actor, given) => {
  const note = live(world, actor, 'note', given['id'])
  if (note === undefined) return ['not_found']
  if (!mayChange(note, actor)) return ['invalid_input']
  return () => {
    note.live = false
    return { says: { id: note.id }, touched: [note] }
  }
}

export const marks: Rules = {
  tags_create: { scope: 'write:customers', person: true, rule: tagsCreate },
  tags_update: { scope: 'write:customers', rule: tagsUpdate },
  tags_delete: { scope: 'write:customers', rule: tagsDelete },
  notes_create: { scope: 'write:notes', person: true, rule: notesCreate },
  notes_update: { scope: 'write:notes', person: true, rule: notesUpdate },
  notes_archive: { scope: 'write:notes', person: true, rule: notesArchive },
}
