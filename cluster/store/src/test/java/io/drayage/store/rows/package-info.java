@NullMarked
package io.drayage.store.rows;

import org.jspecify.annotations.NullMarked;
