/** Bytes from strangers: what a peer or a file may hold, by search and by chance. */
package io.drayage.fuzz;
