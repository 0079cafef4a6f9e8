import type { Books } from '../../../books/books.ts'
import { BOOKS_TASK } from '../../../books/connection/connection.ts'
import { runBooks } from '../../../books/run_books.ts'
import type { PeriodicTask } from '../../periodic_task.ts'
import { every } from '../../schedule.ts'

/** Sends to accounting programs what is new or changed, in a lane of its own: nothing waits for them. */
export const booksTask = (books: Books, baseUrl: string): PeriodicTask => ({
  name: BOOKS_TASK,
  of: 'tenant',
  lane: 'books',
  next: every({ minutes: 5 }),
  run: (run) => runBooks(run, books, baseUrl),
})
