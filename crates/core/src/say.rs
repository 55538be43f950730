//! Every sentence a person is shown, in one place.
