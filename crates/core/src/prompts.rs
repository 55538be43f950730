//! Every sentence the model is shown.
