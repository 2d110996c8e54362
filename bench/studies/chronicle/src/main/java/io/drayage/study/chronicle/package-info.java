/** Reflection, explicit code or one copy of memory for a flat object, after Chronicle. */
@NullMarked
package io.drayage.study.chronicle;

import org.jspecify.annotations.NullMarked;
