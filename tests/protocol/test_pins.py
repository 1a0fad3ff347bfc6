"""What clients out there rely on: kinds, fields, codes, and the names that the package exports."""



