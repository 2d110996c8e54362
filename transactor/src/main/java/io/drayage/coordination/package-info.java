/**
 * What the nodes of a cluster have to agree on: who is there, who is primary, and which snapshot is
 * the current one.
 */
@NullMarked
package io.drayage.coordination;

import org.jspecify.annotations.NullMarked;
