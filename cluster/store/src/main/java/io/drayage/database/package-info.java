/** Which database something belongs to, and which place in its log. */
@NullMarked
package io.drayage.database;

import org.jspecify.annotations.NullMarked;
