-- Refusals that name the field and the way out.
comment on index tax_rates_default is 'conflict: is_default went to another rate just now; read them again with tax_rates_list';
comment on constraint locations_tax_rate on locations is 'invalid_input: tax_rate_id is not a tax rate of this account; find its id with tax_rates_list';
