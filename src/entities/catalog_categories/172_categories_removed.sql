create trigger category_removed after delete on catalog_categories for each row execute function keep_removal('parent_id');
