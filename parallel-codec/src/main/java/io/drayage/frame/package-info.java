/**
 * What stands on the wire: the frame header, and the payload of each control frame. One class
 * describes each structure; {@code docs/wire-format.md} is the specification.
 */
@NullMarked
package io.drayage.frame;

import org.jspecify.annotations.NullMarked;
