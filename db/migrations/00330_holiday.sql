-- +goose Up

-- The public holidays that are certain until the end of 2027. Staff add those that a state proclaims later.
INSERT INTO holiday (country, state, day, name)
SELECT 'AU', s.state, h.day::date, h.name FROM (VALUES
    ('2026-12-25', 'Christmas Day', 'NSW VIC QLD SA WA TAS ACT NT'),
    ('2026-12-26', 'Boxing Day', 'NSW VIC QLD WA ACT NT'),
    ('2026-12-26', 'Proclamation Day', 'SA'),
    ('2026-12-28', 'Boxing Day holiday', 'NSW VIC QLD WA TAS ACT NT'),
    ('2026-12-28', 'Proclamation Day holiday', 'SA'),
    ('2027-01-01', 'New Year’s Day', 'NSW VIC QLD SA WA TAS ACT NT'),
    ('2027-01-26', 'Australia Day', 'NSW VIC QLD SA WA TAS ACT NT'),
    ('2027-03-01', 'Labour Day', 'WA'),
    ('2027-03-08', 'Labour Day', 'VIC'),
    ('2027-03-08', 'Eight Hours Day', 'TAS'),
    ('2027-03-08', 'Canberra Day', 'ACT'),
    ('2027-03-08', 'Adelaide Cup Day', 'SA'),
    ('2027-03-26', 'Good Friday', 'NSW VIC QLD SA WA TAS ACT NT'),
    ('2027-03-27', 'Easter Saturday', 'NSW VIC QLD SA ACT NT'),
    ('2027-03-28', 'Easter Sunday', 'NSW VIC QLD SA WA ACT'),
    ('2027-03-29', 'Easter Monday', 'NSW VIC QLD SA WA TAS ACT NT'),
    ('2027-04-25', 'Anzac Day', 'NSW VIC SA WA TAS ACT NT'),
    ('2027-04-26', 'Anzac Day holiday', 'QLD SA WA ACT NT'),
    ('2027-05-03', 'Labour Day', 'QLD'),
    ('2027-05-03', 'May Day', 'NT'),
    ('2027-05-31', 'Reconciliation Day', 'ACT'),
    ('2027-06-07', 'Western Australia Day', 'WA'),
    ('2027-06-14', 'King’s Birthday', 'NSW VIC SA TAS ACT NT'),
    ('2027-08-02', 'Picnic Day', 'NT'),
    ('2027-10-04', 'Labour Day', 'NSW SA ACT'),
    ('2027-10-04', 'King’s Birthday', 'QLD'),
    ('2027-11-02', 'Melbourne Cup Day', 'VIC'),
    ('2027-12-25', 'Christmas Day', 'NSW VIC QLD SA WA TAS ACT NT'),
    ('2027-12-26', 'Boxing Day', 'NSW VIC QLD WA ACT NT'),
    ('2027-12-26', 'Proclamation Day', 'SA'),
    ('2027-12-27', 'Christmas Day holiday', 'NSW VIC QLD SA WA TAS ACT NT'),
    ('2027-12-28', 'Boxing Day holiday', 'NSW VIC QLD WA TAS ACT NT'),
    ('2027-12-28', 'Proclamation Day holiday', 'SA')
) AS h (day, name, states) CROSS JOIN LATERAL unnest(string_to_array(h.states, ' ')) AS s (state)
ON CONFLICT DO NOTHING;

-- +goose Down
DELETE FROM holiday;
