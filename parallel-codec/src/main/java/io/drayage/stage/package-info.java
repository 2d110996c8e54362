/**
 * Where a transactor puts a cargo that is larger than its memory: frames are decoded, checked and
 * digested as they come, and kept as they came, in a file that nobody sees before its seal.
 */
@NullMarked
package io.drayage.stage;

import org.jspecify.annotations.NullMarked;
