/**
 * The cargo model: the changes of one transaction, as columns of primitive values.
 *
 * <p>A {@link io.drayage.cargo.ChangeCargo} holds one {@link io.drayage.cargo.TableChanges} per
 * changed table. Everything below it is either a {@link io.drayage.cargo.ColumnValues}, a paged
 * array of one type, or a {@link io.drayage.cargo.RowBits}, a paged bit set. Nothing in this
 * package knows about bytes on a wire.
 *
 * <p>For programs that embed the library.
 */
@NullMarked
package io.drayage.cargo;

import org.jspecify.annotations.NullMarked;
