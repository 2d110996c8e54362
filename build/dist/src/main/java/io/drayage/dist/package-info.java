/** Makes the man pages of a release. */
@NullMarked
package io.drayage.dist;

import org.jspecify.annotations.NullMarked;
