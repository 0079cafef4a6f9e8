-- Asks for the direction as a condition: written as a value to compare, it comes to a cluster's other machines as another question.
create or replace function counterpart_of(direction text, sender_address text, recipients text[]) returns text language sql immutable return
  case when direction = 'inbound' then sender_address else recipients[1] end;
