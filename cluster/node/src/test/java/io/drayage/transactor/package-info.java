@NullMarked
package io.drayage.transactor;

import org.jspecify.annotations.NullMarked;
