@NullMarked
package io.drayage.store.column;

import org.jspecify.annotations.NullMarked;
