-- What was found in a file when it was read, so that looking at it reads nothing again; json, because a cell may hold any character.
alter table customer_imports add column reading json;
