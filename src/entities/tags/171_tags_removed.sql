create trigger tag_removed after delete on tags for each row execute function keep_removal('name_folded');
